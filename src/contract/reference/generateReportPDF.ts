import { adapter } from './adapter.ts'

/** The id in the text form of the reference's database, out of which its pages cut it. */
export const generateReportPDF = adapter('generateReportPDF', {
  answer: ({ generatedReportId }) => `BsonObjectId{value=${generatedReportId}}`,
})
