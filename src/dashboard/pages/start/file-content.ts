import type { RequestBodyOf } from '../../../contract/browser.ts'

/** Bytes of a body that the server takes for an import. */
export const mostBytes = 100 * 1024 * 1024

type Content = Pick<RequestBodyOf<'importTraffic'>, 'content' | 'contentEncoding'>

/** The content of a file as text, or as base64 where its bytes are not UTF-8: the server then judges them unchanged. */
export async function fileContent(file: Blob): Promise<Content> {
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    return { content, contentEncoding: 'text' }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { content: await base64Of(file), contentEncoding: 'base64' }
  }
}

/** Base64 by way of a data: address, which every browser makes natively. */
function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read'))
    reader.readAsDataURL(file)
  })
}
