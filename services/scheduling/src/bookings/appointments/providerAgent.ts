/** What keeps an event that is booked at the scheduling provider. */
export const providerAgent = "calendly"
