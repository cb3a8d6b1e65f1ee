import { CaseSearchApi, PatientErasureApi, PatientExportApi } from "@care/domain/admin"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"

export const { caseSearch } = Effect.runSync(clientOf(CaseSearchApi))
export const { patientExport } = Effect.runSync(clientOf(PatientExportApi, "10 minutes"))
export const { patientErasure } = Effect.runSync(clientOf(PatientErasureApi))
