import { shownMoment } from "../http/shownAnswers.ts"
import { UserId } from "../Ids.ts"
import type { Contact, Profile } from "./Profile.ts"

export const contactExample: Contact = {
  email: "maria@example.com",
  firstName: "Maria",
  lastName: "Lopez",
  dob: "1990-05-17",
  phoneNumber: "+14155550123",
  gender: "FEMALE",
  address: "500 Howard Street",
  address2: null,
  city: "Oakland",
  state: "CA",
  country: "US",
  postalCode: "94607"
}

export const profileExample: Profile = {
  id: UserId.make("4f0d2c1e-8f35-4f3e-9a53-0c7b8d6f2a11"),
  ...contactExample,
  allergies: "Penicillin",
  currentMedications: "",
  healthConditions: "",
  languagePreferences: ["en"],
  communication: { smsNotificationsDisabled: true, notificationsDisabled: false },
  role: "USER",
  isActive: true,
  createdAt: shownMoment,
  updatedAt: shownMoment
}
