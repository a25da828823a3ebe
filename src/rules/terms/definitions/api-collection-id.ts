import { term } from '../term.ts'

export default term({
  name: 'api_collection_id',
  summary: 'Number of the collection, as a text.',
  called: 'collection number',
  whole: (scene) => String(scene.endpoint.collectionId),
})
