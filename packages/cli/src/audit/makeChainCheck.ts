import { hash } from "node:crypto"
import type { AuditCheckpoint, AuditLink } from "@care/domain/audit/AuditRecord"
import { type KnownEnd, makeLinkCheck } from "@care/domain/audit/makeLinkCheck"

/** Makes the check of a chain (`makeLinkCheck`), which recomputes the hash of each link. */
export const makeChainCheck = (
  ends: ReadonlyArray<KnownEnd>,
  checkpoints?: ReadonlyArray<AuditCheckpoint>,
  start?: KnownEnd
) => {
  const { ofEnd, ofLink, textOf } = makeLinkCheck(ends, checkpoints, start)
  return {
    /** Returns the faults of the next link. */
    ofLink: (link: AuditLink): ReadonlyArray<string> => {
      const text = textOf(link)
      return ofLink(link, text === undefined ? undefined : hash("sha256", text))
    },
    ofEnd
  }
}
