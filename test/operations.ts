import { administration } from "./operations/administration.ts"
import { backOffice } from "./operations/backOffice.ts"
import { calendar } from "./operations/calendar.ts"
import { cases } from "./operations/cases.ts"
import type { InternalOperations, Operations } from "./operations/Operation.ts"
import { payments } from "./operations/payments.ts"
import { people } from "./operations/people.ts"
import { staff } from "./operations/staff.ts"
import { webhooks } from "./operations/webhooks.ts"

/**
 * The table of all public operations: how a request that is accepted is made, and what tests of all operations cannot derive from the
 * contract. The compiler requires an entry for every operation of the contracts.
 */
export const operations: Operations = {
  ...people,
  ...staff,
  ...cases,
  ...payments,
  ...calendar,
  ...webhooks,
  ...backOffice,
  ...administration
}

/** The operations that services call on each other. */
export const internalOperations: InternalOperations = {
  "directory.resolveKey": {},
  "directory.countOrganizations": { unreached: "a number, for a new organization of several cells" },
  "directory.incidents": { unreached: "nothing, for the status page" },
  "directory.organization": {},
  "directory.enrollPatients": {},
  "directory.completePatient": {},
  "directory.patientOwner": {},
  "directory.patientProfile": {},
  "directory.patientAddress": { unreached: "ids, for an order without an address" },
  "directory.prescriber": {},
  "directory.findUser": { unreached: "an identifier that another cell asks about" },
  "directory.people": {},
  "directory.peopleByEmail": {},
  "directory.providers": {},
  "directory.requireProvider": { unreached: "nothing, for a sandbox" },
  "staffSessions.resolve": { unreached: "the token of a session of staff" },
  "loggedRequests.store": {},
  "notices.ofCases": {},
  "notices.ofEndpoint": { unreached: "the host of an endpoint that was disabled, and why" },
  "caseLookup.profileLock": { unreached: "ids, for a profile whose locked fields change" },
  "caseLookup.owner": {},
  "caseLookup.follow": {},
  "caseLookup.followNewest": {},
  "productLookup.product": { unreached: "ids, for a payment that names a product" },
  "catalogueCopies.copy": { unreached: "the id of a live organization, for its sandbox" },
  "troubleLookup.list": {},
  "inactivePatients.erase": { unreached: "ids, for an erasure" },
  "casePayments.prepare": {},
  "casePayments.release": {},
  "casePayments.record": {},
  "casePayments.shippingAddress": { unreached: "ids, for an order without an address" },
  "calendarEvents.ofCase": {},
  "calendarEvents.find": { unreached: "ids, for the timeline of a case" },
  "paymentLookup.find": { unreached: "ids, for the timeline of a case" },
  "paymentLookup.countHeld": { unreached: "an id, for the dashboard" },
  "paymentSimulations.possible": {},
  "paymentSimulations.simulate": { unreached: "a step of a payment, of a sandbox" },
  "appointmentSimulations.possible": {},
  "appointmentSimulations.simulate": { unreached: "a step of an appointment, of a sandbox" }
}
