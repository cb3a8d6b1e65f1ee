import { concurrentIndex, OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Names without accents, so that they are found however they are typed: the marks above and below a letter (U+0300 to U+036F) are removed.
 * Letters that have no such marks are in the lists. The marks of other scripts change a word, and stay. A later version removes the indexes
 * of the names with their accents (`people_by_name`, `people_by_last_name`).
 */
export default new OutsideTransaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      CREATE OR REPLACE FUNCTION searched_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT lower(
          replace(replace(replace(replace(replace(replace(
            translate(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f]', '', 'g'), 'øØłŁđĐðÐħĦı', 'oOlLdDdDhHi'),
          'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE')
        )
      $$
    `
    const indexed = (name: string, parts: string) =>
      concurrentIndex(name, `people (organization_id, searched_name(${parts}) text_pattern_ops) WHERE role = 'USER'`)
        .change
    yield* indexed("people_by_searched_name", "first_name || ' ' || last_name")
    yield* indexed("people_by_searched_last_name", "last_name || ' ' || first_name")
  })
)
