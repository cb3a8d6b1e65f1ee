import { type PersonSnapshot, UserSummary } from "@care/domain/auth"
import { usStates } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { Schema, SchemaGetter, SchemaTransformation } from "effect"

const codeByName = new Map([...usStates].map(([code, name]) => [name.toUpperCase(), code]))

// The code of a US state from its code or name in any letter case. Any other text stays, in upper case.
const ReportedUsState = Schema.String.pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decode(SchemaTransformation.toUpperCase()),
  Schema.decode({
    decode: SchemaGetter.transform((state) => codeByName.get(state) ?? state),
    encode: SchemaGetter.passthrough()
  })
)

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
