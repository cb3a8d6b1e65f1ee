import { createTransport } from "nodemailer"
import type pg from "pg"
import type { PeerJob } from "./PeerJob.ts"

interface Notice {
  readonly email: string
  readonly first_name: string
  readonly organization: string
  readonly short_id: string
}

// The patient or the current provider of a case, unless they want no email or were deleted, or the case is closed.
const find = `
  SELECT u.email, u.first_name, o.name AS organization, c.short_id
  FROM cases.cases c
  JOIN auth.users u ON u.organization_id = c.organization_id
    AND u.id = CASE $3 WHEN 'CASE_OPENED' THEN c.user_id ELSE c.assigned_to END
  JOIN auth.organizations o ON o.id = c.organization_id
  WHERE c.organization_id = $1 AND c.id = $2 AND NOT c.is_archived AND NOT c.is_test
    AND u.is_active AND u.deleted_at IS NULL AND NOT u.notifications_disabled
`

const messages = {
  CASE_OPENED: ({ first_name, organization, short_id }: Notice) => ({
    subject: `Your case at ${organization} is open`,
    text: `Hello ${first_name}, your case ${short_id} at ${organization} is open. You hear from ${organization} when there is news.`
  }),
  CASE_ASSIGNED: ({ first_name, organization, short_id }: Notice) => ({
    subject: `A case at ${organization} was assigned to you`,
    text: `Hello ${first_name}, the case ${short_id} at ${organization} was assigned to you.`
  })
}

/** Sends the email of a notice. Throws on failure, so that the job is retried. */
export type Tell = (client: pg.PoolClient, kind: keyof typeof messages, job: PeerJob) => Promise<void>

export const makeTell = (smtpUrl: string): Tell => {
  const { hostname, port } = new URL(smtpUrl)
  const transport = createTransport({ pool: true, host: hostname, port: Number(port) })

  return async (client, kind, { case_id, id, organization_id }) => {
    const { rows } = await client.query<Notice>({
      name: "findNotice",
      text: find,
      values: [organization_id, case_id, kind]
    })
    const [notice] = rows
    if (notice === undefined) return
    await transport.sendMail({
      from: `no-reply@${hostname}`,
      to: notice.email,
      messageId: `<${id}@${hostname}>`,
      ...messages[kind](notice)
    })
  }
}
