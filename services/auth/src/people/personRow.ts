import { type PersonSnapshot, UserSummary } from "@care/domain/auth"
import { usStates } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { Schema, SchemaGetter, SchemaTransformation } from "effect"

const codeByName = new Map([...usStates].map(([code, name]) => [name.toUpperCase(), code]))

// Decodes the code or name of a US state, in any letter case, to its code, and any other text to upper case.
const ReportedUsState = Schema.String.pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toUpperCase()),
  Schema.decode({
    decode: SchemaGetter.transform((state) => codeByName.get(state) ?? state),
    encode: SchemaGetter.passthrough()
  })
)

export const PersonRow = Schema.Struct({
  ...UserSummary.fields,
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  organizationId: OrganizationId,
  version: Schema.Int,
  state: ReportedUsState,
  licensedStates: Schema.Array(Schema.String)
})

/** The columns of a user's snapshot, except the organization. */
export const personColumnsInAny = `
  version, id, email, first_name, last_name, role, coalesce(phone_number, '') AS phone_number, is_active,
  created_at, updated_at, coalesce(state, '') AS state, licensed_states
`

/** The columns of a user's snapshot. */
export const personColumns = `organization_id, ${personColumnsInAny}`

/** Returns the snapshot of a user that other services store. */
export const snapshotOf = ({
  licensedStates,
  organizationId,
  state,
  version,
  ...person
}: typeof PersonRow.Type): PersonSnapshot => ({ organizationId, version, person, state, licensedStates })
