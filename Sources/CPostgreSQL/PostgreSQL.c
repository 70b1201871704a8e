#include "CPostgreSQL.h"
#include <CLoading.h>

#define LOADED_LIBRARY "libpq.so.5"
#define LOADED_PACKAGE "libpq5"

LOADED_FUNCTION(int, PQbackendPID, (const PGconn *conn), (conn))
LOADED_FUNCTION(int, PQcancel, (PGcancel *cancel, char *errbuf, int errbufsize), (cancel, errbuf, errbufsize))
LOADED_PROCEDURE(PQclear, (PGresult *res), (res))
LOADED_FUNCTION(char *, PQcmdStatus, (PGresult *res), (res))
LOADED_FUNCTION(PGconn *, PQconnectdbParams,
    (const char *const *keywords, const char *const *values, int expand_dbname),
    (keywords, values, expand_dbname))
LOADED_FUNCTION(int, PQconsumeInput, (PGconn *conn), (conn))
LOADED_FUNCTION(int, PQenterPipelineMode, (PGconn *conn), (conn))
LOADED_FUNCTION(char *, PQerrorMessage, (const PGconn *conn), (conn))
LOADED_FUNCTION(int, PQexitPipelineMode, (PGconn *conn), (conn))
LOADED_PROCEDURE(PQfinish, (PGconn *conn), (conn))
LOADED_PROCEDURE(PQfreeCancel, (PGcancel *cancel), (cancel))
LOADED_PROCEDURE(PQfreemem, (void *ptr), (ptr))
LOADED_FUNCTION(Oid, PQftype, (const PGresult *res, int field_num), (res, field_num))
LOADED_FUNCTION(PGcancel *, PQgetCancel, (PGconn *conn), (conn))
LOADED_FUNCTION(PGresult *, PQgetResult, (PGconn *conn), (conn))
LOADED_FUNCTION(int, PQgetisnull, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num))
LOADED_FUNCTION(int, PQgetlength, (const PGresult *res, int tup_num, int field_num), (res, tup_num, field_num))
LOADED_FUNCTION(char *, PQgetvalue,
    (const PGresult *res, int tup_num, int field_num),
    (res, tup_num, field_num))
LOADED_FUNCTION(int, PQnfields, (const PGresult *res), (res))
LOADED_FUNCTION(PGnotify *, PQnotifies, (PGconn *conn), (conn))
LOADED_FUNCTION(int, PQnparams, (const PGresult *res), (res))
LOADED_FUNCTION(int, PQntuples, (const PGresult *res), (res))
LOADED_FUNCTION(Oid, PQparamtype, (const PGresult *res, int param_num), (res, param_num))
LOADED_FUNCTION(PGpipelineStatus, PQpipelineStatus, (const PGconn *conn), (conn))
LOADED_FUNCTION(int, PQpipelineSync, (PGconn *conn), (conn))
LOADED_FUNCTION(int, PQputCopyData, (PGconn *conn, const char *buffer, int nbytes), (conn, buffer, nbytes))
LOADED_FUNCTION(int, PQputCopyEnd, (PGconn *conn, const char *errormsg), (conn, errormsg))
LOADED_FUNCTION(char *, PQresultErrorField, (const PGresult *res, int fieldcode), (res, fieldcode))
LOADED_FUNCTION(char *, PQresultErrorMessage, (const PGresult *res), (res))
LOADED_FUNCTION(ExecStatusType, PQresultStatus, (const PGresult *res), (res))
LOADED_FUNCTION(int, PQsendDescribePrepared, (PGconn *conn, const char *stmt), (conn, stmt))
LOADED_FUNCTION(int, PQsendPrepare,
    (PGconn *conn, const char *stmtName, const char *query, int nParams, const Oid *paramTypes),
    (conn, stmtName, query, nParams, paramTypes))
LOADED_FUNCTION(int, PQsendQueryParams,
    (PGconn *conn, const char *command, int nParams, const Oid *paramTypes, const char *const *paramValues,
     const int *paramLengths, const int *paramFormats, int resultFormat),
    (conn, command, nParams, paramTypes, paramValues, paramLengths, paramFormats, resultFormat))
LOADED_FUNCTION(int, PQsendQueryPrepared,
    (PGconn *conn, const char *stmtName, int nParams, const char *const *paramValues, const int *paramLengths,
     const int *paramFormats, int resultFormat),
    (conn, stmtName, nParams, paramValues, paramLengths, paramFormats, resultFormat))
LOADED_FUNCTION(PQnoticeReceiver, PQsetNoticeReceiver,
    (PGconn *conn, PQnoticeReceiver proc, void *arg),
    (conn, proc, arg))
LOADED_FUNCTION(int, PQsetSingleRowMode, (PGconn *conn), (conn))
LOADED_FUNCTION(int, PQsocket, (const PGconn *conn), (conn))
LOADED_FUNCTION(ConnStatusType, PQstatus, (const PGconn *conn), (conn))
LOADED_FUNCTION(PGTransactionStatusType, PQtransactionStatus, (const PGconn *conn), (conn))
