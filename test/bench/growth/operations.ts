import { adminOperations } from "./adminOperations.ts"
import { appointmentOperations } from "./appointmentOperations.ts"
import { caseOperations } from "./caseOperations.ts"
import { deliveryOperations } from "./deliveryOperations.ts"
import { endpointOperations } from "./endpointOperations.ts"
import type { OperationTable } from "./OperationTable.ts"
import { patientOperations } from "./patientOperations.ts"
import { paymentOperations } from "./paymentOperations.ts"

/** Every operation of the API: each endpoint that somebody outside may call has at least one (`test/src/growth.test.ts`). */
export const operations: OperationTable = {
  ...patientOperations,
  ...caseOperations,
  ...paymentOperations,
  ...appointmentOperations,
  ...endpointOperations,
  ...deliveryOperations,
  ...adminOperations
}
