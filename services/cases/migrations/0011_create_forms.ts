import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Forms that dynamic cases create are one for each title: the unique index lets one of two parallel cases create it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE forms (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      title text NOT NULL,
      description text,
      is_active boolean NOT NULL DEFAULT true,
      is_dynamic boolean NOT NULL DEFAULT false,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX forms_by_title ON forms (organization_id, title, created_at, id)`
  yield* sql`CREATE UNIQUE INDEX forms_dynamic_title ON forms (organization_id, title) WHERE is_dynamic`
  yield* sql`
    CREATE TABLE form_questions (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      form_id uuid NOT NULL,
      index integer NOT NULL,
      question text NOT NULL,
      type text NOT NULL,
      required boolean NOT NULL,
      phi boolean NOT NULL,
      hint text NOT NULL,
      placeholder text NOT NULL,
      options text[] NOT NULL,
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, form_id, index),
      FOREIGN KEY (organization_id, form_id) REFERENCES forms (organization_id, id)
    )
  `
})
