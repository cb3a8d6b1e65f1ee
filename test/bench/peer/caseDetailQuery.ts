const person = (user: string) => `json_build_object(
  'id', ${user}.id, 'email', ${user}.email, 'firstName', ${user}.first_name, 'lastName', ${user}.last_name,
  'role', ${user}.role, 'phoneNumber', coalesce(${user}.phone_number, ''), 'isActive', ${user}.is_active,
  'createdAt', ${user}.created_at, 'updatedAt', ${user}.updated_at
)`
const personOf = (id: string) => `(
  SELECT ${person("u")} FROM auth.users u WHERE u.organization_id = c.organization_id AND u.id = ${id}
)`

// The limit of each list, newest first.
const newestBy = (moment: string) => `ORDER BY ${moment} DESC, id DESC LIMIT 1000`
const ofCase = "organization_id = c.organization_id AND case_id = c.id"

const filesOfComment = `(
  SELECT json_agg(json_build_object(
    'id', f.id, 'fileName', f.file_name, 'contentType', f.content_type, 'size', f.size, 'uploadedAt', f.uploaded_at,
    'uploadedBy', ${person("u")}
  ) ORDER BY f.uploaded_at, f.id)
  FROM cases.documents f JOIN auth.users u ON u.organization_id = f.organization_id AND u.id = f.uploaded_by
  WHERE f.organization_id = m.organization_id AND f.comment_id = m.id
)`

const commentsQuery = (isRestricted: boolean) => `(
  SELECT json_agg(json_build_object(
    'id', m.id, 'text', m.text, 'isRestricted', m.is_restricted, 'createdAt', m.created_at, 'author', ${person("u")},
    'files', ${filesOfComment}
  ) ORDER BY m.created_at, m.id)
  FROM (SELECT * FROM cases.comments WHERE ${ofCase} AND is_restricted = ${isRestricted} ${newestBy("created_at")}) m
  JOIN auth.users u ON u.organization_id = m.organization_id AND u.id = m.author_id
)`

/** The columns of a case. Sealed ones come as stored, with the key that sealed them. */
const columns = `
  c.id, c.short_id, c.created_at, c.updated_at, c.title, c.status, c.type, c.in_progress_at, c.closed_at, c.is_archived,
  ${personOf("c.user_id")} AS submitter, ${personOf("c.assigned_to")} AS assigned_to,
  ${personOf("c.assigned_by")} AS assigned_by, ${commentsQuery(false)} AS comments, ${commentsQuery(true)} AS notes,
  (
    SELECT json_agg(json_build_object(
      'id', d.id, 'isApproved', d.is_approved, 'isNoDecision', d.is_no_decision, 'startDate', d.start_date,
      'endDate', d.end_date, 'decisionText', d.decision_text, 'category', d.category, 'createdAt', d.created_at,
      'visitType', d.visit_type, 'productId', d.product_id, 'addedBy', d.prescriber, 'medInfo', d.med_info
    ) ORDER BY d.created_at, d.id)
    FROM (SELECT * FROM cases.decisions WHERE ${ofCase} ${newestBy("created_at")}) d
  ) AS decisions,
  (
    SELECT json_build_object('id', k.id, 'user_id', k.user_id, 'wrapped', k.wrapped)
    FROM cases.patient_keys k WHERE k.organization_id = c.organization_id AND k.user_id = c.user_id
  ) AS patient_key
`

/** Finds a case of an organization by its id. */
export const caseById = `SELECT ${columns} FROM cases.cases c WHERE c.organization_id = $1 AND c.id = $2`

/** Finds the newest case of the patient with an email. */
export const newestCase = `
  SELECT ${columns} FROM cases.cases c
  WHERE c.organization_id = $1 AND c.user_id = (
    SELECT id FROM auth.users WHERE organization_id = $1 AND email = $2 AND deleted_at IS NULL
  )
  ORDER BY c.created_at DESC, c.id DESC LIMIT 1
`

/** Finds out whether any organization has the case. */
export const caseAnywhere = "SELECT id FROM cases.cases WHERE id = $1"
