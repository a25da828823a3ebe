/** Path of the question whether a web socket may be opened; the gate answers it, and no server hears of it. */
export const SOCKET_QUESTION_PATH = '/.vigil-socket'

/** Stands for the method where the guard is asked about a message of a web socket; the body is the message. */
export const MESSAGE_METHOD = 'SEND'

/** Where refused sockets lead: the discard port, where nobody answers. */
export const REFUSED_SOCKET = 'ws://127.0.0.1:9/'

/**
 * Asks the guard before a document opens a web socket: the browser lets nobody stop their handshakes at the request
 * stage. Where the question cannot be asked (a policy of the page forbids it), sockets to the page's own host pass.
 */
export const SOCKET_GUARD = `(() => {
  const Real = globalThis.WebSocket
  if (Real === undefined) return
  const mayOpen = (url) => {
    try {
      const question = new XMLHttpRequest()
      question.open('GET', '${SOCKET_QUESTION_PATH}?to=' + encodeURIComponent(url), false)
      question.send()
      return question.status === 200
    } catch {
      return new URL(url).host === location.host
    }
  }
  globalThis.WebSocket = new Proxy(Real, {
    construct(target, [url, ...rest], newTarget) {
      const address = new URL(url, location.href)
      address.protocol = address.protocol.replace(/^http/, 'ws')
      // What is refused fails as any socket does that nobody answers.
      return Reflect.construct(target, [mayOpen(address.href) ? url : '${REFUSED_SOCKET}', ...rest], newTarget)
    },
  })
})()`

/**
 * Asks the guard before a document sends a message over a web socket, which the browser lets nobody stop. What is held
 * back is not sent, and the page does not hear of it; so is everything where the question cannot be asked, and what is
 * not text. Each message is asked about once.
 */
export const MESSAGE_GUARD = `(() => {
  const Real = globalThis.WebSocket
  if (Real === undefined) return
  const { send } = Real.prototype
  const answers = new Map()
  const maySend = (url, text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    let isAllowed = false
    try {
      const question = new XMLHttpRequest()
      question.open('POST', '${SOCKET_QUESTION_PATH}?to=' + encodeURIComponent(url), false)
      question.send(text)
      isAllowed = question.status === 200
    } catch {
      // A policy of the page forbids the question.
    }
    if (answers.size < 500) answers.set(text, isAllowed)
    return isAllowed
  }
  Real.prototype.send = function (data) {
    if (typeof data === 'string' && maySend(this.url, data)) send.call(this, data)
  }
})()`
