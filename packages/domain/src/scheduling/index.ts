export * from "./CalendarEventsApi.ts"
export * from "./SchedulingApi.ts"
