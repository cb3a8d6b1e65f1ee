import type { Contact, Profile } from "@care/domain/auth"
import type { UserRow } from "../people/index.ts"

/** Returns the contact data of a user. */
export const contactOf = (user: UserRow): Contact => ({
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  dob: user.dob ?? "",
  phoneNumber: user.phoneNumber ?? "",
  gender: user.gender ?? "",
  address: user.address ?? "",
  address2: user.address2,
  city: user.city ?? "",
  state: user.state ?? "",
  country: user.country ?? "",
  postalCode: user.postalCode ?? ""
})

/** Returns the profile of a user. */
export const profileOf = (user: UserRow): Profile => ({
  ...user,
  ...contactOf(user),
  allergies: user.allergies ?? "",
  currentMedications: user.currentMedications ?? "",
  healthConditions: user.healthConditions ?? "",
  languagePreferences: user.languagePreferences ?? [],
  communication: {
    smsNotificationsDisabled: user.smsNotificationsDisabled,
    notificationsDisabled: user.notificationsDisabled
  }
})
