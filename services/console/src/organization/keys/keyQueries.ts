import { ApiKeysApi } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"

export const { apiKeys } = Effect.runSync(clientOf(ApiKeysApi))

export const keysKey = (organizationId: OrganizationId) => ["keys", organizationId] as const
