import { MembersApi, StaffAdminApi } from "@care/domain/admin"
import type { Member } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"

export const { members } = Effect.runSync(clientOf(MembersApi))
export const { staffAdmin } = Effect.runSync(clientOf(StaffAdminApi))

export const membersKey = (organizationId: OrganizationId) => ["members", organizationId] as const

export const nameOf = ({ firstName, lastName }: Member): string => `${firstName} ${lastName}`
