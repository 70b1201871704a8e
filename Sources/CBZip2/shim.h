#pragma once
// bzlib.h names FILE without including its header.
#include <stdio.h>
#include <bzlib.h>
