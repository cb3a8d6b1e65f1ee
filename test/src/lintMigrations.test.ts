import { concurrentIndex, type Migration, OutsideTransaction } from "@care/service-kit"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { lintMigrations, type ReadMigration } from "./harness/migrations/lintMigrations.ts"
import { statementsOf } from "./harness/migrations/statementsOf.ts"

const migration = (...statements: ReadonlyArray<string>): ReadMigration => ({
  file: "0032_change.ts",
  version: 3,
  isInTransaction: true,
  statements,
  unusedSince: undefined
})

const outside = (...statements: ReadonlyArray<string>): ReadMigration => ({
  ...migration(...statements),
  isInTransaction: false
})

const removing = (unusedSince: number, statement: string): ReadMigration => ({ ...migration(statement), unusedSince })

interface Examples {
  /** Each is refused with this advice. */
  readonly advice: RegExp
  readonly refused: ReadonlyArray<ReadMigration>
  /** Each is accepted: the same aim in the advised way. */
  readonly accepted: ReadonlyArray<ReadonlyArray<ReadMigration>>
}

const attached = "DO $$ BEGIN EXECUTE 'ALTER INDEX by_name ATTACH PARTITION cases_1_by_name'; END $$"
const isNamed = "ALTER TABLE cases ADD CONSTRAINT is_named CHECK (name IS NOT NULL) NOT VALID"
const ofParent = "ALTER TABLE cases ADD CONSTRAINT of_parent FOREIGN KEY (parent) REFERENCES cases (id)"

const rules: Readonly<Record<string, Examples>> = {
  "a rename": {
    advice: /renames (cases|cases\.name), .* Add the new one beside it, write both, backfill it in batches, and drop/,
    refused: [
      migration("ALTER TABLE cases RENAME TO files"),
      migration("ALTER TABLE cases RENAME COLUMN name TO title")
    ],
    accepted: [[migration("ALTER TABLE cases ADD COLUMN title text")], [migration("ALTER INDEX a RENAME TO b")]]
  },
  "a removal that comes too early": {
    advice:
      /(drops|revokes) .*(in the next version, in a migration with the comment "Unused since version 3"|remove it in version 4)\.$/,
    refused: [
      migration("DROP TABLE cases"),
      migration("DROP SEQUENCE positions"),
      migration("ALTER TABLE cases DROP COLUMN name"),
      migration("ALTER TABLE cases DROP CONSTRAINT of_parent"),
      migration("ALTER TABLE cases ALTER COLUMN name DROP DEFAULT"),
      migration("ALTER TABLE cases ALTER COLUMN name DROP NOT NULL"),
      migration("REVOKE UPDATE ON cases FROM CURRENT_USER"),
      outside("DROP INDEX CONCURRENTLY cases_by_name"),
      removing(3, "DROP TABLE cases")
    ],
    accepted: [
      [removing(2, "DROP TABLE cases")],
      [removing(1, "ALTER TABLE cases DROP COLUMN name")],
      [removing(2, "ALTER TABLE cases ALTER COLUMN name DROP DEFAULT")],
      [removing(2, "REVOKE UPDATE ON cases FROM CURRENT_USER")],
      [migration("GRANT SELECT ON cases TO CURRENT_USER")],
      [migration("CREATE TABLE notes (name text)", "REVOKE UPDATE ON notes FROM CURRENT_USER")],
      [{ ...outside("DROP INDEX CONCURRENTLY cases_by_name"), unusedSince: 2 }]
    ]
  },
  "the removal of an index that blocks its table": {
    advice:
      /drops INDEX cases_by_name while nobody can use its table\. Use DROP INDEX CONCURRENTLY in .* OutsideTransaction/,
    refused: [
      removing(2, "DROP INDEX cases_by_name"),
      removing(2, "DROP INDEX CONCURRENTLY cases_by_name"),
      { ...outside("DROP INDEX cases_by_name"), unusedSince: 2 }
    ],
    accepted: []
  },
  "a new column NOT NULL without a default": {
    advice: /adds cases\.name NOT NULL without a default, .* Add it without NOT NULL or with a constant default, and/,
    refused: [migration("ALTER TABLE cases ADD COLUMN name text NOT NULL")],
    accepted: [
      [migration("ALTER TABLE cases ADD COLUMN name text")],
      [migration("ALTER TABLE cases ADD COLUMN name text NOT NULL DEFAULT ''")],
      [migration("CREATE TABLE notes (name text NOT NULL)")]
    ]
  },
  "a new column with a volatile default": {
    advice:
      /adds cases\.\w+ with a value that PostgreSQL computes for each row, .* Add it without a default, write it from/,
    refused: [
      migration("ALTER TABLE cases ADD COLUMN key uuid DEFAULT gen_random_uuid()"),
      migration("ALTER TABLE cases ADD COLUMN at timestamptz DEFAULT (clock_timestamp() + interval '1 day')"),
      migration("ALTER TABLE cases ADD COLUMN number bigserial"),
      migration("ALTER TABLE cases ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY"),
      migration("ALTER TABLE cases ADD COLUMN size integer GENERATED ALWAYS AS (length(name)) STORED")
    ],
    accepted: [
      [migration("ALTER TABLE cases ADD COLUMN at timestamptz NOT NULL DEFAULT now()")],
      [migration("ALTER TABLE cases ADD COLUMN at timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP")],
      [migration("ALTER TABLE cases ADD COLUMN size integer DEFAULT -1")],
      [migration("ALTER TABLE cases ALTER COLUMN key SET DEFAULT gen_random_uuid()")]
    ]
  },
  "a new column with a constraint": {
    advice: /adds cases\.\w+ with a constraint, .* Add the column alone, and the constraint in a statement of its own/,
    refused: [
      migration("ALTER TABLE cases ADD COLUMN size integer CHECK (size > 0)"),
      migration("ALTER TABLE cases ADD COLUMN parent uuid REFERENCES cases (id)"),
      migration("ALTER TABLE cases ADD COLUMN number integer UNIQUE")
    ],
    accepted: []
  },
  "SET NOT NULL without a validated check": {
    advice:
      /makes cases\.name NOT NULL, .* add CHECK \(\.\.\. IS NOT NULL\) NOT VALID .* VALIDATE CONSTRAINT in a later/,
    refused: [
      migration("ALTER TABLE cases ALTER COLUMN name SET NOT NULL"),
      migration(isNamed, "ALTER TABLE cases ALTER COLUMN name SET NOT NULL")
    ],
    accepted: [
      [
        migration(isNamed),
        migration("ALTER TABLE cases VALIDATE CONSTRAINT is_named"),
        migration("ALTER TABLE cases ALTER COLUMN name SET NOT NULL")
      ]
    ]
  },
  "a change of a type": {
    advice:
      /changes the type of cases\.size, .* Add a column of the new type, write both, backfill it in batches, and drop/,
    refused: [migration("ALTER TABLE cases ALTER COLUMN size TYPE bigint")],
    accepted: [[migration("ALTER TABLE cases ADD COLUMN large_size bigint")]]
  },
  "an index that blocks writers": {
    advice:
      /builds the index by_name on cases while nobody can write to the table\. Use concurrentIndex, in a migration/,
    refused: [
      migration("CREATE INDEX by_name ON cases (name)"),
      migration("CREATE UNIQUE INDEX CONCURRENTLY by_name ON cases (name)"),
      outside("CREATE INDEX by_name ON cases (name)")
    ],
    accepted: [
      [outside("CREATE INDEX CONCURRENTLY by_name ON cases (name)")],
      [migration("CREATE TABLE notes (name text)", "CREATE INDEX by_name ON notes (name)")]
    ]
  },
  "indexes of partitions that are attached in a transaction": {
    advice: /attaches indexes of partitions\. Use partitionedIndex, in a migration of its own\./,
    refused: [migration(attached)],
    accepted: [[outside(attached)]]
  },
  "a constraint that is validated at once": {
    advice: /adds the constraint cases\.\w+ without NOT VALID, .* Add it NOT VALID, and VALIDATE CONSTRAINT in a later/,
    refused: [migration(ofParent), migration("ALTER TABLE cases ADD CONSTRAINT is_long CHECK (size > 0)")],
    accepted: [
      [migration(`${ofParent} NOT VALID`), migration("ALTER TABLE cases VALIDATE CONSTRAINT of_parent")],
      [migration("CREATE TABLE notes (id uuid)", "ALTER TABLE notes ADD CHECK (id IS NOT NULL)")],
      [migration("CREATE TABLE notes (id uuid REFERENCES cases (id))")]
    ]
  },
  "a validation under the lock of the addition": {
    advice:
      /validates cases\.is_named in the transaction that added it and still has its lock\. Validate it in a later/,
    refused: [migration(isNamed, "ALTER TABLE cases VALIDATE CONSTRAINT is_named")],
    accepted: [[outside(isNamed, "ALTER TABLE cases VALIDATE CONSTRAINT is_named")]]
  },
  "a constraint that builds its index": {
    advice:
      /adds the constraint cases\.\w+, for which PostgreSQL builds an index .* build it with concurrentUniqueIndex/,
    refused: [
      migration("ALTER TABLE cases ADD CONSTRAINT numbered UNIQUE (number)"),
      migration("ALTER TABLE cases ADD CONSTRAINT numbered PRIMARY KEY (number)"),
      migration("ALTER TABLE cases ADD CONSTRAINT numbered EXCLUDE USING gist (span WITH &&)")
    ],
    accepted: [[migration("ALTER TABLE cases ADD CONSTRAINT numbered UNIQUE USING INDEX by_number")]]
  },
  "a change of all rows in one transaction": {
    advice:
      /changes all rows in one transaction, .* Backfill in batches: an OutsideTransaction that repeats a statement with/,
    refused: [
      migration("UPDATE cases SET title = name"),
      outside("UPDATE cases SET title = name"),
      migration("UPDATE cases SET title = name WHERE id IN (SELECT id FROM cases WHERE title IS NULL LIMIT 9)"),
      outside("WITH gone AS (DELETE FROM cases RETURNING id) SELECT count(*) FROM gone")
    ],
    accepted: [
      [outside("UPDATE cases SET title = name WHERE id IN (SELECT id FROM cases WHERE title IS NULL LIMIT 9)")],
      [migration("CREATE TABLE notes (name text)", "INSERT INTO notes SELECT name FROM cases")]
    ]
  },
  "what Citus refuses for a distributed table": {
    advice: /sets the (storage|statistics target) of a column of (cases|notes), .* Leave it out\.$/,
    refused: [
      migration("ALTER TABLE cases ALTER COLUMN name SET STORAGE EXTERNAL"),
      migration("CREATE TABLE notes (name text)", "ALTER TABLE notes ALTER COLUMN name SET STATISTICS 0")
    ],
    accepted: []
  },
  "a table that is not logged": {
    advice: /(makes notes UNLOGGED, .* Leave that out|sets cases LOGGED, which it is)\.$/,
    refused: [migration("CREATE UNLOGGED TABLE notes (name text)"), migration("ALTER TABLE cases SET LOGGED")],
    accepted: [[migration("CREATE UNLOGGED TABLE notes (name text)"), migration("ALTER TABLE notes SET LOGGED")]]
  },
  "what the lint does not know": {
    advice:
      /does not know \((DoStmt|TruncateStmt|LockStmt|AT_SetUnLogged|AT_AttachPartition)\)\. Find out which lock it takes/,
    refused: [
      migration("DO $$ BEGIN DROP TABLE cases; END $$"),
      migration("TRUNCATE cases"),
      migration("LOCK TABLE cases"),
      migration("ALTER TABLE cases SET UNLOGGED"),
      migration("ALTER TABLE cases ATTACH PARTITION cases_of_may DEFAULT")
    ],
    accepted: [
      [migration("ALTER TABLE cases ALTER COLUMN name SET COMPRESSION lz4, SET (fillfactor = 50)")],
      [migration("COMMENT ON TABLE cases IS 'cases'")]
    ]
  }
}

describe("the lint of migrations", () => {
  for (const [rule, { accepted, advice, refused }] of Object.entries(rules)) {
    it(`refuses ${rule}, and says what to do instead`, () => {
      for (const bad of refused) {
        const found = lintMigrations([bad])
        assert.lengthOf(found, 1, `${bad.statements}: ${found}`)
        assert.match(found.join(), advice)
        assert.match(found.join(), /^0032_change\.ts \w/)
      }
      for (const good of accepted) assert.deepStrictEqual(lintMigrations(good), [])
    })
  }

  it("accepts anything in version 1, which ran on empty databases", () => {
    assert.deepStrictEqual(lintMigrations([{ ...migration("DROP TABLE cases"), version: 1 }]), [])
  })

  const sends = (text: string) => SqlClient.SqlClient.use((sql) => Effect.asVoid(sql.unsafe(text)))
  const read = (change: Migration) =>
    Effect.map(statementsOf(change), (statements) => ({
      ...migration(...statements),
      isInTransaction: !(change instanceof OutsideTransaction)
    }))

  it.effect("reads what a migration sends", () =>
    Effect.gen(function* () {
      const two = yield* read(Effect.andThen(sends("CREATE TABLE notes ()"), sends("DROP TABLE cases")))
      assert.deepStrictEqual(two.statements, ["CREATE TABLE notes ()", "DROP TABLE cases"])
      assert.lengthOf(lintMigrations([two]), 1)

      const index = yield* read(concurrentIndex("cases_by_name", "cases (name)"))
      assert.match(index.statements.at(-1) ?? "", /^CREATE INDEX CONCURRENTLY "cases_by_name" ON cases \(name\)$/)
      assert.deepStrictEqual(lintMigrations([index]), [])
    })
  )
})
