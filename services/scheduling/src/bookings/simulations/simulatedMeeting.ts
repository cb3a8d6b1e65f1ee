/** How the ids of meetings begin that exist in a simulation alone. */
export const simulatedMeeting = "simulated-"
