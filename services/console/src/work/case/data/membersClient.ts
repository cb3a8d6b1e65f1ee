import { MembersApi } from "@care/domain/admin"
import { Effect } from "effect"
import { clientOf } from "../../../client/clientOf.ts"

export const { members } = Effect.runSync(clientOf(MembersApi))
