import { CaseSearchApi } from "@care/domain/admin"
import type { FoundCase } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { Effect } from "effect"
import { clientOf } from "../client/clientOf.ts"
import { send } from "../client/send.ts"

const { caseSearch } = Effect.runSync(clientOf(CaseSearchApi))

/** Finds cases of an organization by anything that a person types: an id, a short id, an email, a phone number, a name. */
export const findCases = (
  organizationId: OrganizationId,
  q: string,
  signal?: AbortSignal
): Promise<ReadonlyArray<FoundCase>> =>
  send(caseSearch.find({ payload: { organizationId, q, limit: 10 } }), signal).then(({ data }) => data)
