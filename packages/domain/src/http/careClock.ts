/** The header of answers to a sandbox organization that has the time of its clock. */
export const careClockHeader = "care-clock"
