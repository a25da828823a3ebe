/**
 * Custom methods: a verb behind a colon at the end of a path (`/instances/i1:start`, Google's AIP-136).
 */

/** First words of custom verbs; anything else after a colon belongs to a value (`nginx:latest`, `urn:isbn:1`). */
const VERBS: ReadonlySet<string> = new Set(
  (
    'abort accept acknowledge acquire activate add aggregate allocate analyze annotate apply approve archive assign ' +
    'attach authorize backup batch begin bind bulk calculate call cancel capture check claim classify clear clone close ' +
    'commit compare complete compute configure convert copy count create deactivate decline decode decrypt deidentify ' +
    'delete demote deploy deprovision deregister detach detect diff disable discard discover dismiss download drain ' +
    'embed enable encode encrypt enqueue estimate evaluate evict exchange execute expire explain export failback ' +
    'failover fetch finalize finish flush generate get grant hide import initialize initiate inspect install invite ' +
    'invoke issue join kill leave link list lock lookup merge migrate modify move mute mutate notify open optimize ' +
    'partition patch pause pin poll predict preview promote provision publish pull purge push query rank rebuild ' +
    'recognize reconcile recover redact refresh refund register reidentify reindex reject release remove render renew ' +
    'reopen repair replace replay report request rerun resend reserve reset resize resolve restart restore resume ' +
    'retire retrieve retry revert revoke rollback rotate run scale scan schedule search send set sign simulate split ' +
    'start stop stream submit subscribe suspend switch sync synthesize terminate test train transcode transfer ' +
    'translate trigger truncate tune unarchive unassign unbind undelete undeploy unfollow uninstall unlink unlock ' +
    'unmute unpin unpublish unregister unsubscribe unsuspend update upgrade upload upsert validate verify view void ' +
    'wait watch withdraw'
  ).split(' '),
)
const SHAPE = /^[a-z]{3,}(?:[A-Z][A-Za-z]*)?$/
const MAX_VERB_LENGTH = 60

/** Where the custom verb of a segment begins, at its colon; -1 without one. A value with its own colons has none. */
export function verbAt(segment: string): number {
  const colon = segment.lastIndexOf(':')
  if (colon <= 0 || segment.indexOf(':', 1) !== colon || segment.length - colon > MAX_VERB_LENGTH) return -1
  const verb = segment.slice(colon + 1)
  return SHAPE.test(verb) && VERBS.has(/^[a-z]+/.exec(verb)![0]) ? colon : -1
}
