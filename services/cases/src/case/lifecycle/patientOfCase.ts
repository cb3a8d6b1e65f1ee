/** Returns the SQL for the patient of a case. Both parameters are SQL, with the name of their table. */
export const patientOfCase = (organizationId: string, caseId: string): string =>
  `(SELECT c.user_id FROM cases c WHERE c.organization_id = ${organizationId} AND c.id = ${caseId})`
