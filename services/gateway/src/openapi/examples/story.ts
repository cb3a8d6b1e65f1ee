/** When the organization of the examples set itself up. */
export const setUp = "2026-03-02T09:00:00.000Z"

/** When the case of the examples was created. */
export const creation = "2026-08-01T10:00:00.000Z"

/** When what belongs to it was last changed. */
export const changed = "2026-08-04T08:10:00.000Z"

/** When its appointment begins and ends. */
export const begins = "2026-08-12T15:00:00.000Z"
export const ends = "2026-08-12T15:30:00.000Z"

/** The id of a passkey's credential. */
export const credential = "KEDetxZcUfinhVi6Za5nZQ"
