/** Whether a path is one of the admin API, which tells errors as problem details. */
export const isAdminPath = (path: string): boolean => path.startsWith("/admin/v1/")
