/** The header of a request of staff that says in which mode of their organization they work: `live`, as without it, or `test`. */
export const careModeHeader = "care-mode"
