import { isFast } from "@care/service-kit"
import type { SqlClient, Statement } from "effect/sql"

/**
 * Returns a statement of two parameters that is compiled once. Its text is without indentation, because the driver looks it up at each
 * call. Its rows are not transformed, so the columns must have the names of the code.
 */
export const compileOnce = (
  sql: SqlClient.SqlClient,
  statement: (first: string, second: string) => Statement.Statement<object>
) => {
  const [indented] = statement("[]", "").compile()
  const text = indented.replaceAll(/\s+/g, " ")
  return (first: string, second: string) =>
    isFast("compiling") ? sql.unsafe<object>(text, [first, second]).withoutTransform : statement(first, second)
}
