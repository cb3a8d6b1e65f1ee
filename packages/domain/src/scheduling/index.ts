export * from "./CalendarEventStatus.ts"
export * from "./CalendarEventsApi.ts"
export * from "./SchedulingApi.ts"
