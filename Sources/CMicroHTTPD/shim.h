#pragma once
#include <microhttpd.h>

// libmicrohttpd reads options and returns properties through variadic functions, which Swift cannot call.

/// Whether the library has an option for strict parsing of requests. Before 0.9.78 that option checks only for spaces in
/// the URL and for a repeated Host header, and the listener checks the head of a request itself.
static inline int
tileserve_parses_strictly (void)
{
  return MHD_VERSION >= 0x00097800;
}

static inline int
tileserve_strictness (void)
{
  return tileserve_parses_strictly () ? 1 : 0;
}

/// A daemon without threads, for a listening socket; NULL on failure.
static inline struct MHD_Daemon *
tileserve_start_daemon (MHD_socket listening,
                        unsigned int connections,
                        unsigned int idle_seconds,
                        size_t connection_bytes,
                        MHD_AcceptPolicyCallback accept,
                        MHD_AccessHandlerCallback access,
                        void *(*target)(void *, const char *, struct MHD_Connection *),
                        MHD_RequestCompletedCallback completed,
                        MHD_NotifyConnectionCallback connection,
                        MHD_LogCallback log,
                        void *context)
{
  return MHD_start_daemon (MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0,
                           accept, context, access, context,
                           MHD_OPTION_EXTERNAL_LOGGER, log, context,
                           MHD_OPTION_STRICT_FOR_CLIENT, tileserve_strictness (),
                           MHD_OPTION_LISTEN_SOCKET, listening,
                           MHD_OPTION_CONNECTION_LIMIT, connections,
                           MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
                           MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_bytes,
                           MHD_OPTION_URI_LOG_CALLBACK, target, context,
                           MHD_OPTION_NOTIFY_COMPLETED, completed, context,
                           MHD_OPTION_NOTIFY_CONNECTION, connection, context,
                           MHD_OPTION_END);
}

/// The descriptor that becomes readable when the daemon has work; -1 if there is none.
static inline int
tileserve_epoll_descriptor (struct MHD_Daemon *daemon)
{
  const union MHD_DaemonInfo *info = MHD_get_daemon_info (daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return NULL == info ? -1 : info->epoll_fd;
}

/// The connection's socket; -1 when there is none.
static inline MHD_socket
tileserve_socket (struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return NULL == info ? -1 : info->connect_fd;
}

/// The peer's address; NULL when it is unknown.
static inline const struct sockaddr *
tileserve_peer (struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return NULL == info ? NULL : info->client_addr;
}

/// The context that was stored when the connection started.
static inline void *
tileserve_context (struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return NULL == info ? NULL : info->socket_context;
}

/// The size in bytes of a request's head, from the method to the empty line; 0 until it has been read.
static inline size_t
tileserve_head_bytes (struct MHD_Connection *connection)
{
  const union MHD_ConnectionInfo *info = MHD_get_connection_info (connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return NULL == info ? 0 : info->header_size;
}

/// Sends a response of unknown length without chunks: its end is the end of the connection. MHD_NO on failure.
static inline enum MHD_Result
tileserve_omit_chunks (struct MHD_Response *response)
{
  return MHD_set_response_options (response,
                                   MHD_RF_HTTP_1_0_COMPATIBLE_STRICT,
                                   MHD_RO_END);
}

// Swift's module of the C library leaves epoll out.
#include <stdint.h>
#include <sys/epoll.h>

/// A new epoll descriptor; -1 on failure.
static inline int
tileserve_watch_create (void)
{
  return epoll_create1 (EPOLL_CLOEXEC);
}

/// Watches a socket and reports once that its peer has closed; -1 on failure.
static inline int
tileserve_watch_add (int set, int socket)
{
  struct epoll_event event = { .events = EPOLLRDHUP | EPOLLONESHOT, .data = { .fd = socket } };
  return epoll_ctl (set, EPOLL_CTL_ADD, socket, &event);
}

/// Stops watching a socket.
static inline void
tileserve_watch_remove (int set, int socket)
{
  // The socket is open and was added, so this cannot fail.
  (void) epoll_ctl (set, EPOLL_CTL_DEL, socket, NULL);
}

/// The next socket whose peer has closed; -1 if there is none.
static inline int
tileserve_watch_next (int set)
{
  struct epoll_event event;
  return 1 == epoll_wait (set, &event, 1, 0) ? event.data.fd : -1;
}
