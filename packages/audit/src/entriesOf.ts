import { AuditAction, monthAfter, monthOf } from "@care/domain/audit"
import { Schema } from "effect"
import { organizationOf, partsOf } from "./chainHash.ts"
import { bitsOfKinds } from "./kindBits.ts"
import type { AuditEntry } from "./makeChainsRepo.ts"

const isAction = Schema.is(AuditAction)

// Clocks of processes differ by less. A record of a later moment cannot move its chain on by years.
const maxAheadMillis = 24 * 60 * 60 * 1000

/** What a line says of its record, and the entry that it becomes. */
interface NewEntry extends AuditEntry {
  readonly organizationId: string
  readonly id: string
  readonly action: AuditAction
  readonly monthOfRecord: number
}

/**
 * Returns the entries of lines, or undefined if this version does not know an action or a kind of one of them. Entries of an organization are
 * in the present month, or in a later one if its chain or one of the lines is there: the months of a chain never go back, and a record is
 * never in a month before its own. A new chain has no month that was archived, whatever the clock of its first writer says.
 */
export const entriesOf = (
  lines: ReadonlyArray<string>,
  ends: ReadonlyArray<{
    readonly organizationId: string
    readonly month: number | null
    readonly archived: number | null
  }>,
  now: number
): ReadonlyArray<NewEntry> | undefined => {
  const current = monthOf(new Date(now))
  const months = new Map<string, number>(
    ends.map(({ archived, month, organizationId }) => {
      const earliest = month ?? (archived === null ? current : monthAfter(archived))
      return [organizationId, Math.max(earliest, current)]
    })
  )
  const known: Array<Omit<NewEntry, "month">> = []
  for (const line of lines) {
    const parts = partsOf(line)
    if (parts === undefined || !isAction(parts.action)) return undefined
    const kindBits = bitsOfKinds(parts.kinds)
    if (kindBits === undefined) return undefined
    const organizationId = organizationOf(line)
    const monthOfRecord = monthOf(new Date(Math.min(parts.at.getTime(), now + maxAheadMillis)))
    months.set(organizationId, Math.max(months.get(organizationId) ?? current, monthOfRecord))
    known.push({ line, organizationId, id: parts.id, action: parts.action, kindBits, monthOfRecord })
  }
  return known.map((entry) => ({ ...entry, month: months.get(entry.organizationId) ?? current }))
}
