// The functions that PostgreSQL calls STABLE or VOLATILE and that a statement is likely to have. `jsonb_to_recordset` is one too, but Citus
// takes it as a table.
const mutableFunctions =
  /\b(gen_random_uuid|uuidv[47]|random|now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|to_char|to_date|nextval|setval|currval|current_setting|set_config|current_schema|json_build_object|jsonb_build_object|to_jsonb?|row_to_json|concat|concat_ws|format)\s*\(|\b(current_(timestamp|date|time)|localtime(stamp)?|interval)\b/i

// Those that PostgreSQL calls STABLE.
const stableFunctions =
  /\b(now|statement_timestamp|transaction_timestamp|to_char|current_setting|current_schema|to_jsonb?|concat|concat_ws|format)\s*\(|\bcurrent_(timestamp|date|time)\b/i

// `FOR UPDATE` changes nothing. `ON CONFLICT DO UPDATE` is a change.
const isChange = /(?<!\bFOR (NO KEY )?)\bUPDATE\b|\bDELETE FROM\b|\bINSERT INTO\b/i
const changedOrReturned = /(?<!\bFOR (NO KEY )?)\bUPDATE\b|\bDELETE FROM\b|\bRETURNING\b/gi

/** Returns the text from a position up to the end of the statement, or of the parenthesis that it is in. */
const partFrom = (statement: string, start: number): string => {
  let depth = 0
  for (let at = start; at < statement.length; at++) {
    if (statement[at] === "(") depth += 1
    if (statement[at] === ")") depth -= 1
    if (depth < 0) return statement.slice(start, at)
  }
  return statement.slice(start)
}

const reasonOf = (statement: string): string | undefined => {
  if (/\bctid\b/i.test(statement)) {
    return "ctid names another row in each partition and shard: choose rows by their primary key"
  }
  if (/\bWITH RECURSIVE\b/i.test(statement) && isChange.test(statement)) {
    return "a recursive query cannot be part of a change: choose the rows by a SELECT ... FOR UPDATE first, in the same transaction"
  }
  if (/^INSERT INTO\b.*\bSELECT\b.*\bFROM "?\w+\b"?(?! ?\()/i.test(statement) && stableFunctions.test(statement)) {
    return "Citus 14 sends a shard a broken statement: bind the time, or read the rows in a CTE before"
  }
  if (/\bnextval\s*\(/i.test(statement) && isChange.test(statement)) {
    return "a shard does not have the sequence: read its numbers by a SELECT first, and bind them"
  }
  if (/(\bSET|,) "?\w+"? = ([\w."]+|\(\$\d+[\w:[\]]*\))\[/i.test(statement)) {
    return "Citus 14 crashes when an element or a slice of an array is the whole value of a column: put it into coalesce"
  }
  for (const { index } of statement.matchAll(/\bDO UPDATE\b/gi)) {
    if (/\(\s*SELECT\b/i.test(partFrom(statement, index))) {
      return "the condition of ON CONFLICT cannot read other rows: bind what it compares with"
    }
  }
  for (const { index } of statement.matchAll(changedOrReturned)) {
    const found = mutableFunctions.exec(partFrom(statement, index))
    if (found !== null) {
      return `${found[0].trim()}${found[0].endsWith("(") ? ")" : ""} in an UPDATE, a DELETE or RETURNING has another value on each shard: bind an id or a time that the service made, or take one from a CTE before`
    }
  }
  return undefined
}

/** Returns the statements that Citus refuses, or that are wrong on a partitioned table, each with the reason. */
export const refusedStatements = (statements: ReadonlyArray<string>): ReadonlyArray<string> =>
  statements
    .map((statement) => statement.replace(/\s+/g, " ").trim())
    .flatMap((statement) => {
      const reason = reasonOf(statement)
      return reason === undefined ? [] : [`${statement}\n  ${reason}`]
    })
