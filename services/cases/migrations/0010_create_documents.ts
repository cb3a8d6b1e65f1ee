import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The contents of a document are in `document_pieces`, each piece encrypted by itself, in the order of `index`. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE documents (
      id uuid PRIMARY KEY,
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL REFERENCES cases (id),
      comment_id uuid,
      file_name text NOT NULL,
      content_type text NOT NULL,
      size integer NOT NULL,
      uploaded_by uuid NOT NULL,
      uploaded_at timestamptz(3) NOT NULL
    )
  `
  yield* sql`CREATE INDEX documents_by_case ON documents (case_id, uploaded_at, id)`
  yield* sql`
    CREATE TABLE document_pieces (
      document_id uuid NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
      index integer NOT NULL,
      sealed bytea NOT NULL,
      PRIMARY KEY (document_id, index)
    )
  `
  // What is encrypted does not compress: PostgreSQL need not try.
  yield* sql`ALTER TABLE document_pieces ALTER COLUMN sealed SET STORAGE EXTERNAL`
})
