/** The agent name of events at the scheduling provider. */
export const providerAgent = "calendly"
