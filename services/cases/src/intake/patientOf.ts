import type { PatientDetails } from "@care/domain/auth"
import type { CreateCase } from "@care/domain/cases"

/** Returns the details of the patient from the body of a case creation. */
export const patientOf = (body: CreateCase["user"]): PatientDetails => ({
  email: body.email,
  firstName: body.firstName,
  lastName: body.lastName,
  phoneNumber: body.phoneNumber,
  dob: body.dob,
  gender: body.gender,
  languagePreferences: body.languagePreferences,
  address: body.shippingAddress
})
