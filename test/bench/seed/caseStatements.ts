/**
 * Statements that store each row of `made`: a case with its patient and contents. `given` is one row with the organization, its product and
 * providers, and sealed text that cannot be opened, for the cases that are never read.
 */
export const caseStatements: ReadonlyArray<string> = [
  `INSERT INTO auth.users (
     organization_id, id, email, first_name, last_name, role, phone_number, dob, state, created_at, updated_at
   )
   SELECT organization_id, user_id, 'seed' || n || '@example.com', 'Maria', 'Lopez', 'USER',
          '+1303' || lpad(n::text, 7, '0'), '1988-04-12', 'CA', at, at
   FROM made, given`,

  `INSERT INTO cases.people (
     organization_id, id, version, email, first_name, last_name, role, phone_number, is_active, state, licensed_states,
     created_at, updated_at
   )
   SELECT organization_id, user_id, 1, 'seed' || n || '@example.com', 'Maria', 'Lopez', 'USER',
          '+1303' || lpad(n::text, 7, '0'), true, 'CA', '{}', at, at
   FROM made, given`,

  `INSERT INTO cases.patient_keys (organization_id, user_id, id, wrapped)
   SELECT organization_id, user_id, left(md5(user_id::text), 22), sealed FROM made, given`,

  // Half of the cases are decided, the others wait for their providers. Short ids of the suite never contain a U.
  `INSERT INTO cases.cases (
     organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, assigned_to, assigned_at,
     created_at, updated_at
   )
   SELECT organization_id, case_id, 'U' || lpad(n::text, 7, '0'), user_id, 'Program',
          CASE n % 2 WHEN 0 THEN 'APPROVED' ELSE 'ASSIGNED' END, 'ASYNC_TEXT_EMAIL', false, n % 2 = 1, provider_id, at,
          at, at
   FROM made, given`,

  `INSERT INTO cases.case_activity (
     organization_id, case_id, sequence, id, type, actor_type, actor_id, at, details
   )
   SELECT organization_id, case_id, 1, gen_random_uuid(), 'CASE_CREATED', 'JOB', NULL, at, '{"status":"OPEN"}'
   FROM made, given`,

  `INSERT INTO cases.provider_loads (organization_id, provider_id, case_count, last_assigned_at)
   SELECT organization_id, provider_id, count(*), max(at) FROM made, given WHERE n % 2 = 1
   GROUP BY organization_id, provider_id
   ON CONFLICT (organization_id, provider_id) DO UPDATE
   SET case_count = provider_loads.case_count + excluded.case_count, last_assigned_at = excluded.last_assigned_at`,

  `INSERT INTO cases.case_products (organization_id, case_id, index, product_id, visit_type)
   SELECT organization_id, case_id, 0, product_id, 'ASYNC_TEXT_EMAIL' FROM made, given`,

  `INSERT INTO cases.form_responses (organization_id, id, case_id, product_id, title, content, created_at)
   SELECT organization_id, response_id, case_id, product_id, 'Intake', sealed, at FROM made, given`,

  `INSERT INTO cases.comments (organization_id, id, case_id, author_id, text, is_restricted, created_at)
   SELECT organization_id, comment_id, case_id, provider_id, sealed, false, at FROM made, given
   UNION ALL
   SELECT organization_id, note_id, case_id, provider_id, sealed, true, at FROM made, given`,

  `INSERT INTO cases.decisions (
     organization_id, id, case_id, added_by, prescriber, is_approved, is_no_decision, decision_text, category,
     visit_type, product_id, start_date, end_date, med_info, created_at
   )
   SELECT organization_id, decision_id, case_id, provider_id, prescriber, true, false, sealed, sealed,
          'ASYNC_TEXT_EMAIL', product_id, at, at + interval '90 days', sealed, at
   FROM made, given`,

  `INSERT INTO cases.documents (
     organization_id, id, case_id, comment_id, file_name, content_type, size, uploaded_by, uploaded_at
   )
   SELECT organization_id, document_id, case_id, comment_id, sealed, 'application/pdf', 20, provider_id, at
   FROM made, given`
]
