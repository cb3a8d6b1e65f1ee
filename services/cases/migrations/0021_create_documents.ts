import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Files of cases. `file_name` is sealed: people name files after their content. The content is in `document_pieces`, each
 * piece sealed by itself, in the order of `index`. Files of a case and files of a comment are read apart.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE documents (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      case_id uuid NOT NULL,
      comment_id uuid,
      file_name text NOT NULL,
      content_type text NOT NULL,
      size integer NOT NULL,
      uploaded_by uuid NOT NULL,
      uploaded_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id),
      FOREIGN KEY (organization_id, comment_id) REFERENCES comments (organization_id, id)
    )
  `
  yield* sql`
    CREATE INDEX documents_by_case ON documents (organization_id, case_id, uploaded_at, id) WHERE comment_id IS NULL
  `
  yield* sql`
    CREATE INDEX documents_by_comment ON documents (organization_id, comment_id, uploaded_at, id)
    WHERE comment_id IS NOT NULL
  `
  // For the export of a patient: the files of a case and of its comments together.
  yield* sql`CREATE INDEX all_documents_by_case ON documents (organization_id, case_id)`
  // For the quota: what organizations stored since the last count.
  yield* sql`CREATE INDEX documents_by_time ON documents (uploaded_at)`
  yield* sql`
    CREATE TABLE document_pieces (
      organization_id uuid NOT NULL,
      document_id uuid NOT NULL,
      index integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (organization_id, document_id, index),
      FOREIGN KEY (organization_id, document_id) REFERENCES documents (organization_id, id) ON DELETE CASCADE
    )
  `
  // Ciphertext does not compress: PostgreSQL need not try.
  yield* sql`ALTER TABLE document_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL`
})
