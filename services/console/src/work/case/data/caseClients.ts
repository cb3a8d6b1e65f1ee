import {
  AdminEscalationsApi,
  BackOfficeApi,
  BreakGlassApi,
  CaseChartApi,
  CaseListsApi,
  CaseViewersApi
} from "@care/domain/admin"
import { Effect } from "effect"
import { clientOf } from "../../../client/clientOf.ts"

export const { adminEscalations } = Effect.runSync(clientOf(AdminEscalationsApi))
export const { backOffice } = Effect.runSync(clientOf(BackOfficeApi))
export const { breakGlass } = Effect.runSync(clientOf(BreakGlassApi))
export const { caseChart } = Effect.runSync(clientOf(CaseChartApi))
export const { caseLists } = Effect.runSync(clientOf(CaseListsApi))
export const { caseViewers } = Effect.runSync(clientOf(CaseViewersApi))
