import { type PersonSnapshot, UserSummary } from "@care/domain/auth"
import { ReportedUsState } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { Schema } from "effect"

/** A user with the columns that say how they are shown. */
export const PersonRow = Schema.Struct({
  ...UserSummary.fields,
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  organizationId: OrganizationId,
  version: Schema.Int,
  state: ReportedUsState,
  licensedStates: Schema.Array(Schema.String)
})

export const personColumns = `
  organization_id, version, id, email, first_name, last_name, role, coalesce(phone_number, '') AS phone_number, is_active,
  created_at, updated_at, coalesce(state, '') AS state, licensed_states
`

/** What others keep of a user. */
export const snapshotOf = ({
  licensedStates,
  organizationId,
  state,
  version,
  ...person
}: typeof PersonRow.Type): PersonSnapshot => ({ organizationId, version, person, state, licensedStates })
