// Bodies of responses for the log format vigil_bodies (nginx-njs.conf). Only texts are kept, and only short ones.
const MOST = 65536
const TEXTS =
  /^(?:application\/(?:[a-z0-9.+-]*json|[a-z0-9.+-]*xml|x-www-form-urlencoded|graphql)|text\/(?!html|css|javascript))/i

let kept = ''
let isKept = true

/** Passes each part of a response on as it is, and keeps it for the log. */
function keep(r, part, flags) {
  r.sendBuffer(part, flags)
  if (!isKept) return
  isKept =
    TEXTS.test(r.headersOut['Content-Type'] || '') &&
    !r.headersOut['Content-Encoding'] &&
    kept.length + part.length <= MOST
  kept = isKept ? kept + part : ''
  if (flags.last || !isKept) r.variables.vigil_response_body = kept
}

export default { keep }
