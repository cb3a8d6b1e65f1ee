import type { Operation } from "./Operation.ts"

const escalation = "id type title isCompleted createdAt followUpDueAt"

/** Cases, and what the care team does with them. */
export const cases: ReadonlyArray<Operation> = [
  {
    id: "caseSearch.list",
    command: "case list",
    example: "--status OPEN --archived false",
    columns: "id shortId status isArchived patient=submitter.email assignedTo=assignedTo.email createdAt updatedAt"
  },
  {
    id: "caseSearch.find",
    command: "case search",
    arguments: ["organizationId", "q"],
    columns: "id shortId match status patient=submitter.email assignedTo=assignedTo.email createdAt"
  },
  { id: "backOffice.case", command: "case show", isJson: true },
  { id: "caseChart.patient", command: "case patient", isJson: true },
  { id: "caseChart.file", command: "case file", isFile: true },
  { id: "caseViewers.look", command: "case viewers", columns: "userId firstName lastName since" },
  { id: "caseViewers.leave", command: "case leave" },
  {
    id: "caseLists.activity",
    command: "case activity",
    columns: "sequence at type actor=actor.type+actor.id details"
  },
  {
    id: "caseLists.timeline",
    command: "case timeline",
    columns: "sequence at kind type actor=actor.type+actor.id details"
  },
  {
    id: "caseLists.comments",
    command: "case comments",
    flags: { isRestricted: "internal" },
    columns: "id createdAt author=author.email isRestricted text attachments"
  },
  {
    id: "caseLists.decisions",
    command: "case decisions",
    columns: "id createdAt isApproved isNoDecision medInfo decisionText startDate endDate"
  },
  {
    id: "caseLists.attachments",
    command: "case attachments",
    columns: "id fileName contentType size uploadedAt uploadedBy=uploadedBy.email"
  },
  {
    id: "caseLists.orders",
    command: "case orders",
    columns: "id status pharmacyName pharmacyOrderId trackingId message createdAt"
  },
  { id: "caseLists.escalations", command: "case escalations", columns: escalation },
  {
    id: "caseLists.formResponses",
    command: "case form-responses",
    columns: "id title formId productId questions createdAt"
  },
  {
    id: "caseLists.calendarEvents",
    command: "case calendar-events",
    columns: "id startDateTime endDateTime timezone organizer=organizer.email"
  },
  { id: "backOffice.assign", command: "case assign", arguments: ["providerId"], isJson: true },
  {
    id: "backOffice.assignAll",
    command: "case assign-all",
    arguments: ["organizationId", "providerId"],
    columns: "caseId outcome detail"
  },
  { id: "backOffice.start", command: "case start", isJson: true },
  {
    id: "backOffice.decide",
    command: "case decide",
    says: "Decide on a case that has a provider: --approved, --undecided, or neither, which rejects it",
    flags: { isNoDecision: "undecided", decisionText: "text", startDate: "start", endDate: "end", medInfo: "medicine" },
    example:
      '3b241101-e2bb-4255-8caf-4136c566a962 --approved --text "..." --visit-type SYNC_VIDEO --start 2026-01-31T00:00:00Z --end 2026-07-31T00:00:00Z --medicine "medicine=Finasteride; dosage=1 mg; refillCount=3"'
  },
  {
    id: "backOffice.comment",
    command: "case comment",
    arguments: ["text"],
    flags: { isRestricted: "internal", attachments: "attach" }
  },
  { id: "backOffice.attach", command: "case attach", file: "attachment" },
  { id: "breakGlass.open", command: "case break-glass", arguments: ["reason"] },
  {
    id: "breakGlass.list",
    command: "case broken-glass",
    columns: "id caseId userId reason createdAt expiresAt"
  },
  {
    id: "adminEscalations.list",
    command: "escalation list",
    arguments: ["organizationId"],
    columns: "id caseId shortId type title patient=submitter.email assignedTo=assignedTo.email followUpDueAt createdAt"
  },
  {
    id: "adminEscalations.add",
    command: "case escalate",
    flags: { escalations: "escalation" },
    example:
      '3b241101-e2bb-4255-8caf-4136c566a962 --escalation "type=clinical; title=Lab Review; note=Creatinine is high"',
    columns: escalation
  },
  { id: "backOffice.completeEscalation", command: "escalation complete" },
  {
    id: "adminOrders.inError",
    command: "order in-error",
    arguments: ["organizationId"],
    columns: "id caseId shortId patient=submitter.email message pharmacyName createdAt updatedAt"
  },
  { id: "adminOrders.change", command: "order change" }
]
