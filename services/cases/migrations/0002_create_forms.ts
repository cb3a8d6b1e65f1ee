import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE forms (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      title text NOT NULL,
      description text,
      is_active boolean NOT NULL DEFAULT true,
      created_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX forms_by_organization ON forms (organization_id, title)`
  yield* sql`
    CREATE TABLE form_questions (
      id uuid PRIMARY KEY,
      form_id uuid NOT NULL REFERENCES forms (id),
      index integer NOT NULL,
      question text NOT NULL,
      type text NOT NULL,
      required boolean NOT NULL,
      phi boolean NOT NULL,
      hint text NOT NULL,
      placeholder text NOT NULL,
      options text[] NOT NULL,
      UNIQUE (form_id, index)
    )
  `
})
