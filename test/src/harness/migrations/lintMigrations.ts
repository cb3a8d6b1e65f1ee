import { type AlterTableCmd, type ColumnDef, type Constraint, loadModule, type Node, parseSync } from "libpg-query"

await loadModule()

/** A migration of a service as the lint reads it. */
export interface ReadMigration {
  readonly file: string
  readonly version: number
  readonly isInTransaction: boolean
  readonly statements: ReadonlyArray<string>
  /** The version that its comment names: the first whose code no longer uses what the migration removes. */
  readonly unusedSince: number | undefined
}

// What is known when a statement is read: the tables and constraints that its migration made before it, and the NOT NULL checks of the
// service ("table.constraint" to its column) with those that are validated ("table.column").
interface History {
  readonly migration: ReadMigration
  readonly created: Set<string>
  readonly constraints: Set<string>
  /** The tables of the service that are not logged, with the migrations that made them. */
  readonly unlogged: Map<string, string>
  readonly notNullChecks: Map<string, string>
  readonly provenNotNull: Set<string>
}

const mayRemove = ({ unusedSince, version }: ReadMigration) => unusedSince !== undefined && unusedSince < version

const removal = (what: string, { unusedSince, version }: ReadMigration): string =>
  unusedSince === undefined
    ? `${what}, which the version before may use. Stop using it now, and remove it in the next version, in a migration with the comment "Unused since version ${version}".`
    : `${what}, and says that it is unused since version ${unusedSince}, but the version before ${version} must not use it: remove it in version ${unusedSince + 1}.`

const harmless = new Set([
  "CallStmt",
  "CommentStmt",
  "CreateFunctionStmt",
  "CreateSeqStmt",
  "CreateStatsStmt",
  "CreateTrigStmt",
  "InsertStmt",
  "SelectStmt",
  "TransactionStmt",
  "VariableSetStmt",
  "ViewStmt"
])

// Also for a table that the migration made: new tables of a distributed schema are distributed at once.
const refusedByCitus: Readonly<Record<string, string>> = {
  AT_SetStatistics: "the statistics target",
  AT_SetStorage: "the storage"
}

const harmlessChanges = new Set([
  "AT_ResetOptions",
  "AT_ResetRelOptions",
  "AT_SetCompression",
  "AT_SetOptions",
  "AT_SetRelOptions",
  ...Object.keys(refusedByCitus)
])

const stringsOf = (nodes: ReadonlyArray<Node> | undefined): ReadonlyArray<string> =>
  (nodes ?? []).flatMap((node) => ("String" in node ? [node.String.sval ?? ""] : []))

/** Returns the nodes of a kind anywhere below a value of the syntax tree. */
const nodesIn = (value: unknown, kind: string): ReadonlyArray<unknown> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => [...(key === kind ? [child] : []), ...nodesIn(child, kind)])
}

const constraintsOf = (column: ColumnDef): ReadonlyArray<Constraint> =>
  (column.constraints ?? []).flatMap((node) => ("Constraint" in node ? [node.Constraint] : []))

// PostgreSQL evaluates these once for all rows.
const evaluatedOnce = new Set(["now", "transaction_timestamp", "statement_timestamp"])

const isVolatile = (expression: Node | undefined): boolean =>
  nodesIn(expression, "funcname").some(
    (names) => !Array.isArray(names) || !evaluatedOnce.has(stringsOf(names).at(-1) ?? "")
  )

const apart = "in a statement of its own (a constraint NOT VALID, an index with concurrentIndex)"

function* newColumn(table: string, column: ColumnDef): Generator<string> {
  const name = `${table}.${column.colname}`
  const constraints = constraintsOf(column)
  const given = constraints.find(({ contype }) => contype === "CONSTR_DEFAULT")
  const has = (...types: ReadonlyArray<string>) => constraints.some(({ contype }) => types.includes(contype ?? ""))
  if (has("CONSTR_NOTNULL") && given === undefined) {
    yield `adds ${name} NOT NULL without a default, which rows and the version before do not have. Add it without NOT NULL or with a constant default, and make it NOT NULL in the next version.`
  }
  const isSerial = stringsOf(column.typeName?.names).some((type) => type.includes("serial"))
  if (isVolatile(given?.raw_expr) || isSerial || has("CONSTR_GENERATED", "CONSTR_IDENTITY")) {
    yield `adds ${name} with a value that PostgreSQL computes for each row, which rewrites the table under a lock. Add it without a default, write it from the code, and backfill it in batches.`
  }
  if (has("CONSTR_CHECK", "CONSTR_FOREIGN", "CONSTR_UNIQUE", "CONSTR_PRIMARY")) {
    yield `adds ${name} with a constraint, for which PostgreSQL reads the table under a lock. Add the column alone, and the constraint ${apart}.`
  }
}

function* newConstraint(
  table: string,
  constraint: Constraint,
  { constraints, notNullChecks }: History
): Generator<string> {
  const { conname = "", contype, indexname, raw_expr, skip_validation } = constraint
  const name = `${table}.${conname}`
  constraints.add(name)
  if (contype === "CONSTR_FOREIGN" || contype === "CONSTR_CHECK") {
    if (raw_expr !== undefined && "NullTest" in raw_expr && raw_expr.NullTest.nulltesttype === "IS_NOT_NULL") {
      const { arg } = raw_expr.NullTest
      if (arg !== undefined && "ColumnRef" in arg) notNullChecks.set(name, stringsOf(arg.ColumnRef.fields).at(-1) ?? "")
    }
    if (skip_validation !== true) {
      yield `adds the constraint ${name} without NOT VALID, so that PostgreSQL reads the table under a lock. Add it NOT VALID, and VALIDATE CONSTRAINT in a later migration. What the version before writes has to satisfy it.`
    }
  } else if (indexname === undefined) {
    yield `adds the constraint ${name}, for which PostgreSQL builds an index or reads the table under a lock. For UNIQUE and PRIMARY KEY build it with concurrentUniqueIndex, and add the constraint USING INDEX in a later migration; for NOT NULL add CHECK (... IS NOT NULL) NOT VALID.`
  }
}

function* tableChange(table: string, change: AlterTableCmd, history: History): Generator<string> {
  const { constraints, migration, notNullChecks, provenNotNull, unlogged } = history
  const name = `${table}.${change.name ?? ""}`
  const definition = change.def
  switch (change.subtype) {
    case "AT_AddColumn":
      if (definition !== undefined && "ColumnDef" in definition) yield* newColumn(table, definition.ColumnDef)
      return
    case "AT_AddConstraint":
      if (definition !== undefined && "Constraint" in definition) {
        yield* newConstraint(table, definition.Constraint, history)
      }
      return
    case "AT_ValidateConstraint": {
      if (constraints.has(name) && migration.isInTransaction) {
        yield `validates ${name} in the transaction that added it and still has its lock. Validate it in a later migration.`
      }
      const column = notNullChecks.get(name)
      if (column !== undefined) provenNotNull.add(`${table}.${column}`)
      return
    }
    case "AT_SetLogged":
      if (!unlogged.delete(table)) yield `sets ${table} LOGGED, which it is.`
      return
    case "AT_SetNotNull":
      if (!provenNotNull.has(name)) {
        yield `makes ${name} NOT NULL, for which PostgreSQL reads the table under a lock. Before, add CHECK (... IS NOT NULL) NOT VALID when the version before writes the column always, and VALIDATE CONSTRAINT in a later migration.`
      }
      return
    case "AT_AlterColumnType":
      yield `changes the type of ${name}, which rewrites the table under a lock, and which the version before does not expect. Add a column of the new type, write both, backfill it in batches, and drop the old one a version after the code stopped using it.`
      return
    case "AT_ColumnDefault":
      if (definition === undefined && !mayRemove(migration)) yield removal(`drops the default of ${name}`, migration)
      return
    case "AT_DropColumn":
    case "AT_DropConstraint":
    case "AT_DropNotNull":
      if (!mayRemove(migration)) yield removal(`drops ${change.subtype.slice(7)} ${name}`, migration)
      return
    default:
      if (!harmlessChanges.has(change.subtype ?? "")) {
        yield `changes ${table} in a way that the lint does not know (${change.subtype}). Find out which lock it takes and whether the version before goes on, and teach the lint.`
      }
  }
}

function* findings(statement: Node, history: History): Generator<string> {
  const { created, migration } = history
  if ("CreateStmt" in statement) {
    const { relname = "", relpersistence } = statement.CreateStmt.relation ?? {}
    created.add(relname)
    if (relpersistence === "u") history.unlogged.set(relname, migration.file)
  } else if ("AlterTableStmt" in statement) {
    const { cmds = [], relation } = statement.AlterTableStmt
    const table = relation?.relname ?? ""
    for (const node of cmds) {
      const what = "AlterTableCmd" in node ? refusedByCitus[node.AlterTableCmd.subtype ?? ""] : undefined
      if (what !== undefined) {
        yield `sets ${what} of a column of ${table}, which Citus refuses for a distributed table, so that no process would start. Leave it out.`
      }
    }
    if (created.has(table)) return
    for (const node of cmds) if ("AlterTableCmd" in node) yield* tableChange(table, node.AlterTableCmd, history)
  } else if ("IndexStmt" in statement) {
    const { concurrent, idxname, relation } = statement.IndexStmt
    const table = relation?.relname ?? ""
    if (!created.has(table) && (concurrent !== true || migration.isInTransaction)) {
      yield `builds the index ${idxname} on ${table} while nobody can write to the table. Use concurrentIndex, in a migration of its own.`
    }
  } else if ("RenameStmt" in statement) {
    const { relation, renameType, subname } = statement.RenameStmt
    if (renameType !== "OBJECT_INDEX") {
      yield `renames ${[relation?.relname, subname].filter(Boolean).join(".")}, which the version before uses under its old name. Add the new one beside it, write both, backfill it in batches, and drop the old one a version after the code stopped using it.`
    }
  } else if ("DropStmt" in statement) {
    const { concurrent, objects = [], removeType = "" } = statement.DropStmt
    const names = objects.map((node) =>
      "List" in node ? stringsOf(node.List.items).join(".") : stringsOf([node]).join()
    )
    const what = `drops ${removeType.slice("OBJECT_".length)} ${names.join(", ")}`
    if (!mayRemove(migration)) yield removal(what, migration)
    if (removeType === "OBJECT_INDEX" && (concurrent !== true || migration.isInTransaction)) {
      yield `${what} while nobody can use its table. Use DROP INDEX CONCURRENTLY in a migration that is an OutsideTransaction.`
    }
  } else if ("GrantStmt" in statement) {
    const { is_grant, objects = [] } = statement.GrantStmt
    const isOnNew =
      objects.length > 0 && objects.every((node) => "RangeVar" in node && created.has(node.RangeVar.relname ?? ""))
    if (is_grant !== true && !isOnNew && !mayRemove(migration)) yield removal("revokes rights", migration)
  } else if ("DoStmt" in statement && JSON.stringify(statement).includes("ATTACH PARTITION")) {
    // The partitions have their indexes by then.
    if (migration.isInTransaction)
      yield "attaches indexes of partitions. Use partitionedIndex, in a migration of its own."
  } else if (
    !harmless.has(Object.keys(statement)[0] ?? "") &&
    !("UpdateStmt" in statement) &&
    !("DeleteStmt" in statement)
  ) {
    yield `has a statement that the lint does not know (${Object.keys(statement).join()}). Find out which lock it takes and whether the version before goes on, and teach the lint.`
  }

  const changed = ["UpdateStmt", "DeleteStmt"].flatMap((kind) => nodesIn(statement, kind))
  if (changed.length > 0 && (migration.isInTransaction || nodesIn(statement, "limitCount").length === 0)) {
    yield "changes all rows in one transaction, which locks them for as long. Backfill in batches: an OutsideTransaction that repeats a statement with LIMIT until it finds no row."
  }
}

/**
 * Checks the migrations of a service, in their order, with PostgreSQL's own parser: each leaves what the version before uses in place, and
 * locks no large table for longer than a moment. Returns what is wrong, and how to do it instead. The migrations of version 1 may do
 * anything: they ran on empty databases.
 */
export const lintMigrations = (migrations: ReadonlyArray<ReadMigration>): ReadonlyArray<string> => {
  const notNullChecks = new Map<string, string>()
  const provenNotNull = new Set<string>()
  const unlogged = new Map<string, string>()
  const found = migrations
    .filter(({ version }) => version > 1)
    .flatMap((migration) => {
      const history = {
        migration,
        created: new Set<string>(),
        constraints: new Set<string>(),
        unlogged,
        notNullChecks,
        provenNotNull
      }
      return migration.statements
        .flatMap((text) => parseSync(text).stmts ?? [])
        .flatMap(({ stmt }) => (stmt === undefined ? [] : [...findings(stmt, history)]))
        .map((finding) => `${migration.file} ${finding}`)
    })
  const unloggedTables = Array.from(
    unlogged,
    ([table, file]) =>
      `${file} makes ${table} UNLOGGED, so that Citus moves its schema to no other worker, and a standby cannot read it. Leave that out.`
  )
  return [...found, ...unloggedTables]
}
