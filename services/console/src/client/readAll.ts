import type { Effect } from "effect"
import { send } from "./send.ts"

interface PageOf<Row, Cursor> {
  readonly data: ReadonlyArray<Row>
  readonly nextCursor: Cursor | null
}

/** Reads a list of the admin API to its end. It is for short lists, from which a person chooses. */
export const readAll = async <Row, Cursor>(
  pageAt: (cursor: Cursor | undefined) => Effect.Effect<PageOf<Row, Cursor>, unknown>,
  signal: AbortSignal
): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  let cursor: Cursor | undefined
  do {
    const page: PageOf<Row, Cursor> = await send(pageAt(cursor), signal)
    rows.push(...page.data)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return rows
}
