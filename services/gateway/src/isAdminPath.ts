/** Returns whether a path is one of the admin API, whose errors are problem details. */
export const isAdminPath = (path: string): boolean => path.startsWith("/admin/v1/")
