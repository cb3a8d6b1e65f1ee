/**
 * The header of a request that nobody at a screen has asked for: one that a timer made. It is no use of a session of staff, so that a screen
 * that refreshes itself keeps none alive.
 */
export const unattendedHeader = "care-unattended"
