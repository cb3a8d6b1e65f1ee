import { Context } from "effect"

/** Why the slow reads of an endpoint may come from a standby (a value of `standbyReads`); undefined if they may not. */
export const StandbyRead = Context.Reference<string | undefined>("@care/domain/http/StandbyRead", {
  defaultValue: () => undefined
})

/**
 * What may be read from a standby, and why a moment's delay is harmless there. All other reads are made on the primary: whatever checks
 * rights, limits or idempotency keys, whatever reads one thing by its id, and the keys of organizations and of sealed data, which an operator
 * removes when nothing needs them.
 */
export const standbyReads = {
  search: "somebody looks for cases, and each operation on one reads it again on the primary",
  list: "somebody looks through a list, and each operation on an entry reads it again on the primary",
  counts: "an operator sees how much there is to do, and reads each thing again on the primary",
  audit: "records of reads appear within about a second, and chains are compared as far as they are read",
  jobs: "an operator looks for jobs, and a retry reads the job again on the primary",
  data: "an export has what was committed when each of its pages was read"
}
