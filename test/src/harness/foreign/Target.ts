import { randomUUID } from "node:crypto"
import { type Clinic, newPatient } from "../fixtures.ts"

/** Everything of one organization that another may try. */
export interface Target {
  readonly clinic: Clinic
  readonly user: ReturnType<typeof newPatient>
  readonly caseId: string
  readonly patientId: string
  readonly providerId: string
  readonly formId: string
  readonly questionId: string
  readonly bundleId: string
  readonly promoCode: string
  readonly endpointId: string
  /** A delivery to the endpoint, which is disabled, and the event that it is of. */
  readonly deliveryId: string
  readonly toldEventId: string
  readonly documentUrl: string
  /** A setup intent that the patient has confirmed. */
  readonly setupId: string
  readonly eventId: string
  readonly accessToken: string
  readonly refreshToken: string
}

/** The same of nobody: ids, addresses and tokens that were never given out. */
export const unknownOf = ({ clinic, documentUrl, ...target }: Target): Target => ({
  ...target,
  clinic: { ...clinic, productId: randomUUID() },
  user: newPatient(),
  caseId: randomUUID(),
  patientId: randomUUID(),
  providerId: randomUUID(),
  formId: randomUUID(),
  questionId: randomUUID(),
  bundleId: randomUUID(),
  promoCode: `unknown-${randomUUID()}`,
  documentUrl: documentUrl.replace(/documents\/[^?]+/, `documents/${randomUUID()}`),
  endpointId: randomUUID(),
  toldEventId: randomUUID(),
  deliveryId: randomUUID(),
  setupId: "seti_unknown",
  eventId: randomUUID(),
  accessToken: "unknown",
  refreshToken: "unknown"
})
